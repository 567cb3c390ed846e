"""Games between people and computers: rooms, the hall that holds them, the lobby. Read `room` first."""
