// Choosing from a list and only leaving its field are not the same to those who act as soon as something is chosen.
import { createContext, useContext, useState } from 'react'

type Take = (act: () => void) => void

/** Around the changes that pickers make of a text that was left, not chosen. */
export const TakeLeft = createContext<Take>((act) => act())

/** For the picker: takes what its text means. */
export function useTakeLeft<Value>(take: (value: Value) => void): (value: Value) => void {
  const around = useContext(TakeLeft)
  return (value) => around(() => take(value))
}

/** @returns `isLeft`: whether the change under way is one of those, `takeLeft`: for the context */
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
