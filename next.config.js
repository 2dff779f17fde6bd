/** @type {import('next').NextConfig} */
module.exports = {
  reactStrictMode: true,
  poweredByHeader: false,
  // scripts/keepSourceMaps.mjs removes the maps from the served files: they are for the receiver of error reports.
  productionBrowserSourceMaps: true,
  // The image optimiser downloads and decodes on the server, which nothing here needs.
  images: { unoptimized: true },
  devIndicators: false,
  // Both names of this machine may reload in development.
  allowedDevOrigins: ['127.0.0.1', 'localhost'],
  // `npm test` checks all types in a step of its own, so that `npm start` need not repeat it.
  typescript: { ignoreBuildErrors: true },
  experimental: {
    // Few scripts: on a slow computer each response costs the first paint more than a smaller script saves. Sizes are
    // bytes of source before minifying.
    turbopackChunking: { minChunkSize: 1_000_000, maxMergeChunkSize: 5_000_000 },
  },
};
