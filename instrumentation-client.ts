// Next runs this in the browser before everything else. Zod tries whether it may compile its checks; the content security
// policy refuses, as it should, and each page began with a report of it in the console.
import * as z from "zod";

z.config({ jitless: true });
