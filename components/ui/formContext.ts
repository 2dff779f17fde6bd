import type { FormRule } from 'antd';
import { createContext } from 'react';

/** The rule of each field, by its path in the body. Provided by `SchemaForm`, read by `FormField`. */
export const FormRuleContext = createContext<(path: string) => FormRule>(() => ({}));

/** Called by each form with whether it has typed text that was not sent. Provided by `FormDrawer`. */
export const UnsentContext = createContext<(formId: string, isUnsent: boolean) => void>(() => undefined);
