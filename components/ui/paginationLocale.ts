import type { PaginationProps } from 'antd';

/** What the pages of a list say, shown or read out; the product specification (section 9) fixes the words. */
export const paginationLocale = {
  items_per_page: 'a page',
  page_size: 'Page Size',
  jump_to: 'Go to',
  jump_to_confirm: 'Confirm',
  page: 'Page',
  prev_page: 'Previous Page',
  next_page: 'Next Page',
  prev_5: 'Previous 5 Pages',
  next_5: 'Next 5 Pages',
  prev_3: 'Previous 3 Pages',
  next_3: 'Next 3 Pages',
} as const satisfies PaginationProps['locale'];
