// The sentences that accept the dragged item.
import { createContext, useContext } from 'react'
import type { Zone } from './dropping.ts'

interface Dropping {
  takes(zone: Zone): boolean
}

const NOTHING: Dropping = { takes: () => false }

export const DroppingContext = createContext<Dropping>(NOTHING)
export const useDropping = (): Dropping => useContext(DroppingContext)
