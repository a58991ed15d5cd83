// Plays a replay automatically: it shows a step, pauses, and goes on, from deal to deal.

const READING_MS = { renege: 2600, bourre: 2200, incident: 1500, trick: 1000, chips: 1300, "": 650 };

export class Autoplay {
  // `advance(pace)` goes one step on, and returns its mark and the milliseconds of its motion, or null if there is no next step.
  constructor(advance, changed) {
    this.advance = advance;
    this.changed = changed;
    this.timer = null;
    this.speed = 1;
  }

  get isPlaying() {
    return this.timer !== null;
  }

  start() {
    this.timer ??= setTimeout(() => this.next(), 0);
    this.changed(true);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.changed(false);
  }

  next() {
    const step = this.advance(1 / this.speed);
    if (!step) return this.stop();
    this.timer = setTimeout(() => this.next(), step.motion + READING_MS[step.mark] / this.speed);
  }
}
