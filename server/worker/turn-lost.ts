// Why a turn stops in the middle without a word: it is not this worker's any more.

export class TurnLost extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "TurnLost";
  }
}
