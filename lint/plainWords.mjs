/**
 * Words of our former private dialect, and what docs/words.md says instead. The rule checks comments and texts, not
 * names.
 */
const plainForms = [
  [/\btold\b/i, 'told', '"raised" of an alert, "reported", "said" or "shown" of anything else'],
  [/\banew\b/i, 'anew', '"again", or "reset"'],
  [/\bwhoever\b/i, 'whoever', '"users who", "a person who" or "the caller"'],
  [/\bnobody\b/i, 'nobody', '"no one", or name who is missing: "no nurse", "no user"'],
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
export const plainWords = {
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
