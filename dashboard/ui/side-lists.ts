import { createContext } from 'react'

/** In a small box the list, which stays open while several are chosen, opens to the side: not over the box's button. */
export const SideLists = createContext(false)
