import { findUsers } from './findUsers';
import { initialsOf } from './initialsOf';
import type { ListedUser } from './schema';

describe('the users that a text finds', () => {
  function listed(id: number, fname: string, lname: string, state: ListedUser['state'] = 'active'): ListedUser {
    return {
      id,
      fname,
      lname,
      email: `${fname}@${lname}.test`.toLowerCase(),
      type: 'nurse',
      isAdmin: false,
      units: [],
      state,
      lastActiveAt: null,
      createdAt: '2026-03-07T15:00:00.000Z',
      version: 1,
    };
  }

  const users = [
    listed(1, 'Zoë', 'Berg'),
    listed(2, 'Ada', 'Berg'),
    listed(3, 'Sam', 'Adams', 'disabled'),
    listed(4, 'Zed', 'Zorn', 'waiting'),
    listed(5, 'Ada', 'Berg'),
  ];
  const ids = (text: string): number[] => findUsers(users, text).map(({ id }) => id);

  it('are none if a word begins neither a name nor an e-mail address', () => {
    expect(ids('dam')).toEqual([]);
    expect(ids('ada zorn')).toEqual([]);
  });

  it('are all of them without a text: waiting users first, then by last and first name', () => {
    expect(ids('')).toEqual([4, 3, 2, 5, 1]);
  });

  it.each([
    ['zoe', [1]],
    ['BERG ada', [2, 5]],
    ['sam@adams.test', [3]],
    ['zorn.test', [4]],
  ])('are found by the starts of words in name and e-mail: %s', (text, found) => {
    expect(ids(text)).toEqual(found);
  });
});

describe('initialsOf', () => {
  it.each([
    ['', '?'],
    ['   ', '?'],
    ['Noor', 'N'],
    ['Noor Demo', 'ND'],
    ['noor  van der Demo ', 'ND'],
    ['Øyvind Åberg', 'ØÅ'],
    ['𝒩oor 𝒟emo', '𝒩𝒟'],
  ])('the initials of "%s" are "%s"', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
