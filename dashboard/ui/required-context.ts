import { type Context, createContext, useContext } from 'react'

/** @returns a context, and the hook that reads it, which throws outside of a provider. @param name what provides it */
export function requiredContext<Value>(name: string): [Context<Value | undefined>, () => Value] {
  const context = createContext<Value | undefined>(undefined)
  const use = () => {
    const value = useContext(context)
    if (value === undefined) throw new Error(`There is no ${name} around this`)
    return value
  }
  return [context, use]
}
