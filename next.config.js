/** @type {import('next').NextConfig} */
module.exports = {
  reactStrictMode: true,
  poweredByHeader: false,
  // The image optimiser fetches and decodes on the server, which nothing here needs.
  images: { unoptimized: true },
  devIndicators: false,
  // Both names of this machine may reload in development.
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
  // `npm test` checks all types in a step of its own, so that `npm start` need not do it again.
  typescript: { ignoreBuildErrors: true },
};
