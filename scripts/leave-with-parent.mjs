// A web server or a worker without the process that started it would hold the port for ever.
// Its own children inherit this import and are none of our business: they may need the channel that is let go here.
if (process.ppid === Number(process.env.SWITCHYARD_SUPERVISOR)) {
  process.channel?.unref();
  process.once("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 10_000).unref();
  });
}
