import { render, screen } from '@testing-library/react';
import { Pagination } from 'antd';
import { paginationLocale } from './paginationLocale';

function show() {
  render(
    <Pagination
      current={10}
      pageSize={5}
      total={100}
      pageSizeOptions={[5, 10]}
      showSizeChanger
      showQuickJumper
      locale={paginationLocale}
      onChange={() => {}}
    />,
  );
}

describe('the words of the pages of a list', () => {
  it.each(['Previous Page', 'Next Page', 'Previous 5 Pages', 'Next 5 Pages'])('offer "%s"', (words) => {
    show();
    expect(screen.getByTitle(words)).toBeTruthy();
  });

  it('name the choice of the size and the jump to a page', () => {
    show();
    expect(screen.getByRole('combobox', { name: 'Page Size' })).toBeTruthy();
    expect(screen.getByText(/^Go to/)).toBeTruthy();
    expect(screen.getByRole('textbox', { name: 'Page' })).toBeTruthy();
  });
});
