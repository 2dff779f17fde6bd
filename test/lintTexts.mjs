// Takes [{file, text}] as JSON on its input and prints for each what eslint.config.mjs reports about that text in that
// file. A process of its own, because jest cannot load ESLint's configuration, which is an ES module.
import { ESLint } from 'eslint';
import { text } from 'node:stream/consumers';

const houseRules = [
  '@typescript-eslint/no-restricted-imports',
  'no-restricted-globals',
  'no-restricted-syntax',
  'no-restricted-globals',
  'no-console',
  'house/plain-words',
  'max-len',
];
const eslint = new ESLint({
  // The files need not exist, so there are no types; the house rules need none.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
  ruleFilter: ({ ruleId }) => houseRules.includes(ruleId),
});

const results = [];
for (const { file, text: code } of JSON.parse(await text(process.stdin))) {
  const [result] = await eslint.lintText(code, { filePath: file });
  results.push(result.messages.map((message) => message.message));
}
process.stdout.write(JSON.stringify(results));
