// The cookie that remembers, in this browser, that the line about the demo was hidden. Of its own file, because the server
// reads it too.
export const DEMO_NOTE_COOKIE = "switchyard-demo-note";
