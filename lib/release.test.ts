import { version } from '../package.json';
import { release } from './release';

it('is the version of the package', () => {
  expect(release).toBe(`wardlight@${version}`);
});
