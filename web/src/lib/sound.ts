/** Small sounds, made here: a seed on wood, a handful of them, a mill, the end. */

import { settings } from "./settings.svelte";

export type Sound =
  "seed" | "lift" | "capture" | "store" | "cow" | "mill" | "shoot" | "refuse" | "win" | "draw" | "tick";

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;
let last = 0;

/** Browsers allow sound only after a touch or a key. */
export function wake(): void {
  if (context || !settings.sound || typeof AudioContext === "undefined") return;
  context = new AudioContext();
  noise = context.createBuffer(1, context.sampleRate * 0.2, context.sampleRate);
  const data = noise.getChannelData(0);
  for (let k = 0; k < data.length; k++) data[k] = Math.random() * 2 - 1;
}

function knock(at: number, pitch: number, loud: number, long = 0.05): void {
  if (!context || !noise) return;
  const hit = context.createBufferSource();
  hit.buffer = noise;
  const tone = context.createBiquadFilter();
  tone.type = "bandpass";
  tone.frequency.value = pitch;
  tone.Q.value = 7;
  const gain = context.createGain();
  gain.gain.setValueAtTime(loud * settings.volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0008, at + long);
  hit.connect(tone).connect(gain).connect(context.destination);
  hit.start(at, Math.random() * 0.1, long + 0.02);
}

function bell(at: number, pitch: number, loud: number, long: number): void {
  if (!context) return;
  const tone = context.createOscillator();
  tone.type = "sine";
  tone.frequency.value = pitch;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud * settings.volume, at + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0005, at + long);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + long + 0.05);
}

export function play(sound: Sound): void {
  if (!settings.sound || !context) return;
  const now = context.currentTime;
  if (sound === "seed" && now - last < 0.03) return; // a rattle, not a roar
  last = now;
  switch (sound) {
    case "seed":
      knock(now, 1500 + Math.random() * 700, 1.1);
      break;
    case "lift":
      for (let k = 0; k < 3; k++) knock(now + k * 0.025, 900 + Math.random() * 500, 0.6, 0.04);
      break;
    case "capture":
      for (let k = 0; k < 6; k++) knock(now + k * 0.035, 1300 + Math.random() * 1100, 0.9);
      break;
    case "store":
      knock(now, 620, 1.3, 0.09);
      break;
    case "cow":
      knock(now, 420, 2, 0.1);
      break;
    case "mill":
      [392, 494, 587].forEach((pitch, k) => bell(now + k * 0.07, pitch, 0.16, 0.5));
      break;
    case "shoot":
      knock(now, 260, 2.4, 0.16);
      knock(now + 0.03, 900, 1, 0.08);
      break;
    case "refuse":
      knock(now, 240, 1.1, 0.07);
      break;
    case "tick":
      knock(now, 2400, 0.4, 0.03);
      break;
    case "win":
      [392, 494, 587, 784].forEach((pitch, k) => bell(now + k * 0.11, pitch, 0.16, 0.9));
      break;
    case "draw":
      [440, 440].forEach((pitch, k) => bell(now + k * 0.18, pitch, 0.13, 0.6));
      break;
  }
}
