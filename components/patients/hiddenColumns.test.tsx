import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { render, within } from '@testing-library/react';
import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import { useSparks } from '../../hooks/useSparks';
import { inventedPatient, inventedSparks, wardNow } from '../../test/inventedWard';
import { ColumnsMenu } from './ColumnsMenu';
import { hideableColumns } from './listPreferences';
import { PatientsTable } from './PatientsTable';

jest.mock('../../hooks/useNow');
jest.mock('../../hooks/useServerLost');
jest.mock('../../hooks/useSparks');

/** The place, from 1, that the style sheet hides for each column. */
const hidden = new Map(
  [
    ...readFileSync(join(__dirname, 'PatientsScreen.module.css'), 'utf8').matchAll(
      /\[data-hidden~='(\w+)'\] (?::is\(th, td\):nth-child\((\d+)\)|\[data-birth\])/g,
    ),
  ].map(([, column = '', place]) => [column, place === undefined ? null : Number(place)]),
);
/** The date of birth shares a column with the MRN, which stays. */
const whole = hideableColumns.filter((column) => column !== 'dateOfBirth');

describe('the columns that may be hidden', () => {
  it('have a rule each', () => {
    expect([...hidden.keys()]).toEqual([...hideableColumns]);
  });

  it('are hidden at their places in the table, in its head and in its rows', () => {
    jest.mocked(useNow).mockReturnValue(wardNow);
    jest.mocked(useServerLost).mockReturnValue(null);
    jest.mocked(useSparks).mockReturnValue(inventedSparks({}));
    const menu = render(<ColumnsMenu hidden={[]} onHide={() => {}} />).container;
    const names = [...menu.querySelectorAll('label')].map((label) => label.textContent);
    expect(names[0]).toBe('Date of birth');
    const { container } = render(
      <PatientsTable
        unread={new Map()}
        patients={[inventedPatient(1)]}
        sort="familyName"
        onSort={() => {}}
        selectedIds={[]}
        onSelect={() => {}}
        initialNow={wardNow}
        timeZone="Europe/London"
      />,
    );
    const heads = within(container).getAllByRole('columnheader');
    expect(whole.map((column) => heads[(hidden.get(column) ?? 0) - 1]?.textContent)).toEqual(names.slice(1));
    const births = [...container.querySelectorAll('[data-birth]')];
    expect(births.map(({ textContent }) => textContent)).toEqual(['Born', '07 Mar 1950']);
    expect(within(container).getAllByRole('cell')).toHaveLength(heads.length);
  });
});
