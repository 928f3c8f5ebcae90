// openapi-typescript uses the compiler API of TypeScript, which version 7 no longer has.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript6' : specifier, context),
})
