/*
 * The rules that oxlint does not have: as a plugin of it, written as ESLint's plugins are, because oxlint reads those.
 */

/**
 * Words of our former private dialect, and what docs/words.md says instead. The rule checks comments and texts, not
 * names.
 */
const plainForms = [
  [/\btold\b/i, 'told', '"raised" of an alert, "reported", "said" or "shown" of anything else'],
  [/\banew\b/i, 'anew', '"again", or "reset"'],
  [/\bwhoever\b/i, 'whoever', '"users who", "a person who" or "the caller"'],
  [/\bnobody\b(?! has answered)/i, 'nobody', '"no one", or name who is missing: "no nurse", "no user"'],
  [/\bstands\b/i, 'stands', '"is", "lies" or "is shown"'],
  [/\bsuch an?\b/i, 'such a', '"a" with the property that matters, or "this"'],
  [/\bof which\b/i, 'of which', 'two sentences, or "whose"'],
  [/\bthere is none of\b/i, 'there is none of', '"has no", or "null if …"'],
  [/\bhitherto\b/i, 'hitherto', '"until now"'],
  [/\bby heart\b/i, 'by heart', '"in memory"'],
];

/** Texts without a space are keys, paths and codes: no one reads them as a sentence. */
const isSentence = (text) => text.includes(' ');

/** Reports words of plainForms in comments, in JSX text and in the strings that people read, test names included. */
const plainWords = {
  meta: {
    type: 'suggestion',
    docs: { description: 'Holds comments and texts to the plain words of docs/words.md' },
    schema: [],
    messages: { plain: '"{{word}}" is not a plain word here: write {{instead}}. See docs/words.md.' },
  },
  create(context) {
    const check = (text, loc) => {
      for (const [pattern, word, instead] of plainForms) {
        if (pattern.test(text)) {
          context.report({ loc, messageId: 'plain', data: { word, instead } });
        }
      }
    };
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          check(comment.value, comment.loc);
        }
      },
      JSXText(node) {
        check(node.value, node.loc);
      },
      Literal(node) {
        if (typeof node.value === 'string' && isSentence(node.value)) {
          check(node.value, node.loc);
        }
      },
      TemplateElement(node) {
        if (isSentence(node.value.raw)) {
          check(node.value.raw, node.loc);
        }
      },
    };
  },
};

/** Reports lines of more columns than its option says. A line with an address is left: it cannot be broken. */
const lineLength = {
  meta: {
    type: 'layout',
    docs: { description: 'Holds lines to a number of columns' },
    schema: [{ type: 'integer' }],
    messages: { long: 'This line has {{length}} columns. Maximum allowed is {{most}}.' },
  },
  create(context) {
    const [most] = context.options;
    return {
      Program() {
        context.sourceCode.lines.forEach((text, index) => {
          if (text.length > most && !/[^:/?#]:\/\/[^?#]/.test(text)) {
            const line = index + 1;
            const loc = { start: { line, column: 0 }, end: { line, column: text.length } };
            context.report({ loc, messageId: 'long', data: { length: text.length, most } });
          }
        });
      },
    };
  },
};

/** Reports each node that one of its options, [{ selector, message }], matches. */
const syntax = {
  meta: {
    type: 'suggestion',
    docs: { description: 'Refuses what the selectors match' },
    schema: { type: 'array' },
  },
  create(context) {
    return Object.fromEntries(
      context.options.map(({ selector, message }) => [selector, (node) => context.report({ node, message })]),
    );
  },
};

export default {
  meta: { name: 'house' },
  rules: { 'plain-words': plainWords, 'line-length': lineLength, syntax },
};
