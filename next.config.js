/** @type {import('next').NextConfig} */
module.exports = {
  reactStrictMode: true,
  poweredByHeader: false,
  // scripts/keepSourceMaps.mjs takes the maps out of what is served: they are for the receiver of error reports.
  productionBrowserSourceMaps: true,
  // The image optimiser fetches and decodes on the server, which nothing here needs.
  images: { unoptimized: true },
  devIndicators: false,
  // Both names of this machine may reload in development.
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
  // `npm test` checks all types in a step of its own, so that `npm start` need not do it again.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // Few scripts: on a slow computer each answer costs the first paint more than a page's own share of the code is
    // worth. Sizes are bytes of source before it is made small.
    turbopackChunking: { minChunkSize: 1_000_000, maxMergeChunkSize: 5_000_000 },
  },
};
