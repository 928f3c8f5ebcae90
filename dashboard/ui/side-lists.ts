import { createContext } from 'react'

/**
 * In a small box, lists with several choices stay open. They open to the side, so that they do not cover the button of
 * the box.
 */
export const SideLists = createContext(false)
