import { createContext } from 'react'

/** In a small box the list, which stays open while several are chosen, opens beside the box: not over its button. */
export const ListsBeside = createContext(false)
