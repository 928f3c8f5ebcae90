// Distinguishes a chosen option from text in a field that was only left: some forms act only on a choice.
import { createContext, useContext, useState } from 'react'

type Take = (act: () => void) => void

/** Wraps the change that a picker makes when its field is left and its text means an option. */
export const TakeLeft = createContext<Take>((act) => act())

/** For pickers. @returns a function that calls `take` with the option that a text means after its field was left */
export function useTakeLeft<Value>(take: (value: Value) => void): (value: Value) => void {
  const around = useContext(TakeLeft)
  return (value) => around(() => take(value))
}

/**
 * @returns `isLeft`: whether the current change comes from a field that was left; `takeLeft`: the value for the context
 */
export function useLeftText() {
  const [leaving] = useState(() => {
    let isLeft = false
    return {
      isLeft: () => isLeft,
      takeLeft: (act: () => void) => {
        isLeft = true
        act()
        isLeft = false
      },
    }
  })
  return leaving
}
