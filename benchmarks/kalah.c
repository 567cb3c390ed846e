/* Perft of Kalah with six pits, by hand: the limit that Mbegu's kernel is measured against.

   kalah DEPTH [plain]     prints sequences, moves made, a checksum and nanoseconds of CPU time

   Both ways keep a side in a word, a byte a pit and the store in the seventh, and sow by a table. The plain one
   branches where there is something to take, and lists the moves by their bits; the other is written as the kernel
   is: the last ply in six rounds without a branch. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef struct { u64 me, op, last, across; } Row;
typedef struct { u64 nodes, made, check; } Told;

#define PITS 0x0000FFFFFFFFFFFFull
#define ONES 0x0101010101010101ull
static Row sow[6][256];

static void lay(void) {
    for (int pit = 0; pit < 6; pit++) {
        int ring[13] = {0}, at = pit;
        for (int stones = 1; stones < 256; stones++) {
            at = (at + 1) % 13;
            ring[at]++;
            Row row = {0};
            for (int i = 0; i < 7; i++) row.me += (u64)ring[i] << 8 * i;
            for (int i = 7; i < 13; i++) row.op += (u64)ring[i] << 8 * (i - 7);
            row.me -= (u64)stones << 8 * pit;
            row.last = at < 7 ? 0xFFull << 8 * at : 0;
            row.across = at < 6 ? 0xFFull << 8 * (5 - at) : 0;
            sow[pit][stones] = row;
        }
    }
}

static inline u64 total(u64 word) { return (word * ONES) >> 56; }

static inline u64 ended(u64 *me, u64 *op) {
    if (!(*me & PITS) || !(*op & PITS)) {
        *me = (*me & ~PITS) + (total(*me & PITS) << 48);
        *op = (*op & ~PITS) + (total(*op & PITS) << 48);
    }
    return 0;
}

static inline u64 turn_plain(u64 *me, u64 *op, int pit) {
    const Row *row = &sow[pit][(*me >> 8 * pit) & 255];
    *me += row->me;
    *op += row->op;
    u64 facing = *op & row->across;
    if (facing && (*me & row->last) == (row->last & ONES)) {
        *me = (*me & ~row->last) + ((total(facing) + 1) << 48);
        *op ^= facing;
    }
    ended(me, op);
    return row->last >> 48;
}

static Told walk_plain(u64 me, u64 op, int depth) {
    Told told = {0, 0, 0};
    u64 pits = me & PITS;
    u64 some = ((pits + 0x7F7F7F7F7F7Full) | pits) & 0x808080808080ull;
    for (; some; some &= some - 1) {
        u64 mine = me, his = op;
        u64 again = turn_plain(&mine, &his, __builtin_ctzll(some) >> 3);
        told.made++;
        if (depth == 1) {
            told.nodes++;
            told.check ^= mine ^ his ^ (again & 1);
        } else {
            Told below = again ? walk_plain(mine, his, depth - 1) : walk_plain(his, mine, depth - 1);
            told.nodes += below.nodes;
            told.made += below.made;
            told.check ^= below.check;
        }
    }
    return told;
}

static inline u64 turn_smooth(u64 *me, u64 *op, int pit) {
    const Row *row = &sow[pit][(*me >> 8 * pit) & 255];
    *me += row->me;
    *op += row->op;
    u64 facing = *op & row->across;
    u64 hand = 0 - (u64)(((*me & row->last) == (row->last & ONES)) & (facing != 0));
    facing &= hand;
    *me = (*me & ~(row->last & hand)) + ((total(facing) + (1 & hand)) << 48);
    *op ^= facing;
    ended(me, op);
    return row->last >> 48;
}

static Told walk_smooth(u64 me, u64 op, int depth) {
    Told told = {0, 0, 0};
    if (depth == 1) {
        for (int pit = 0; pit < 6; pit++) {
            u64 mine = me, his = op, some = ((me >> 8 * pit) & 255) != 0;
            u64 again = turn_smooth(&mine, &his, pit);
            told.nodes += some;
            told.check ^= some ? mine ^ his ^ (again & 1) : 0;
        }
        told.made = told.nodes;
        return told;
    }
    for (int pit = 0; pit < 6; pit++) {
        if (!((me >> 8 * pit) & 255)) continue;
        u64 mine = me, his = op;
        u64 again = turn_smooth(&mine, &his, pit);
        Told below = again ? walk_smooth(mine, his, depth - 1) : walk_smooth(his, mine, depth - 1);
        told.nodes += below.nodes;
        told.made += below.made + 1;
        told.check ^= below.check;
    }
    return told;
}

int main(int count, char **words) {
    int depth = count > 1 ? atoi(words[1]) : 9, plain = count > 2 && !strcmp(words[2], "plain");
    u64 side = 0;
    struct timespec began, ended_at;
    lay();
    for (int pit = 0; pit < 6; pit++) side |= 4ull << 8 * pit;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
    Told told = plain ? walk_plain(side, side, depth) : walk_smooth(side, side, depth);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended_at);
    long long spent = (ended_at.tv_sec - began.tv_sec) * 1000000000ll + ended_at.tv_nsec - began.tv_nsec;
    printf("%llu %llu %llu %lld\n", (unsigned long long)told.nodes, (unsigned long long)told.made,
           (unsigned long long)told.check, spent);
    return 0;
}
