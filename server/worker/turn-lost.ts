// Why a turn stops in the middle without a word: it is not this worker's any more, or is not going to be.

export class TurnLost extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "TurnLost";
  }
}

/** The worker stops, and somebody else goes on with the turn. */
export class TurnLeft extends TurnLost {
  constructor() {
    super("the worker stops");
  }
}
