// Why a turn stops in the middle without a message: another worker has it, or will have it.

export class TurnLost extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "TurnLost";
  }
}

/** The worker stops, and another one continues the turn. */
export class TurnLeft extends TurnLost {
  constructor() {
    super("the worker stops");
  }
}
