import type { FormRule } from 'antd';
import { createContext } from 'react';

/** The rule of each field, by its path in the body. Provided by `SchemaForm`, read by `FormField`. */
export const FormRuleContext = createContext<(path: string) => FormRule>(() => ({}));

/** What would be lost if a drawer closed: typed text that was not sent, or a secret that was not copied. */
export type Loss = 'typed' | 'secret';

/** Called by each part of a drawer with what closing would lose; null is nothing. Provided by `FormDrawer`. */
export const LossContext = createContext<(partId: string, loss: Loss | null) => void>(() => undefined);
