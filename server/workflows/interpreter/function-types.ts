import type { TemplateScope } from './scope.ts'

/** @param args what follows the function's name; missing ones are undefined @param scope for the time zone */
export type TemplateFunction = (value: unknown, args: readonly unknown[], scope: TemplateScope) => unknown
