import { z } from 'zod';
import { maxPageSize } from './pageSize';

/** Row ids in an address, "4,2,7", each once: as many as one page of a list has. */
export const rowIds = z
  .string()
  .regex(new RegExp(`^[1-9]\\d{0,14}(?:,[1-9]\\d{0,14}){0,${maxPageSize - 1}}$`), `is not 1 to ${maxPageSize} row ids`)
  .transform((text) => [...new Set(text.split(',').map(Number))]);
