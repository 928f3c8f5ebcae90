import type { TemplateScope } from './scope.ts'

/** @param args missing arguments are undefined @param scope for the time zone */
export type TemplateFunction = (value: unknown, args: readonly unknown[], scope: TemplateScope) => unknown
