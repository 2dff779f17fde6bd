const inlineMap = /\n\/\/# sourceMappingURL=data:application\/json;(?:charset=utf-8;)?base64,(?<map>[\w+/=]+)\s*$/;

/**
 * Compiles as next/jest does. The map of each file is two thirds of the text that SWC makes: it is given to jest, which
 * keeps it beside the text, so that not each test file reads and compiles all of them again.
 */
module.exports = {
  createTransformer(options) {
    let transformer;
    return {
      process(...given) {
        // Not before a file is compiled: it loads much of Next, in each worker that begins.
        if (transformer === undefined) {
          // It replaces what names the lines of the sources in errors.
          const { prepareStackTrace } = Error;
          transformer = require('next/dist/build/swc/jest-transformer').createTransformer(options);
          Error.prepareStackTrace = prepareStackTrace;
        }
        const { code } = transformer.process(...given);
        const { index, groups } = inlineMap.exec(code) ?? {};
        return groups === undefined
          ? { code }
          : { code: code.slice(0, index), map: Buffer.from(groups.map, 'base64').toString() };
      },
    };
  },
};
