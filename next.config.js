/** @type {import('next').NextConfig} */
const config = {
  output: "standalone",
  reactStrictMode: true,
  poweredByHeader: false,
  // Bundled, these lose what they load at run time: pg its optional driver, pino its worker thread, Prisma its adapter.
  serverExternalPackages: ["pg", "pino", "@prisma/client", "@prisma/adapter-pg"],
};

export default config;
