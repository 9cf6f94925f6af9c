// A web server or a worker without the process that started it would hold the port for ever.
process.channel?.unref();
process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.exit(1), 10_000).unref();
});
