// The first lines of the first page: the same in the document that the server sends and in the page itself.
import { dateFormat } from './language.ts'

const NOON = 12
const EVENING = 18

/** @param hour of the clock where it is read, 0 to 23 @param name of the person, first names first */
export function greeting(hour: number, name: string): string {
  const first = name.trim().split(/\s+/)[0]
  const time = hour < NOON ? 'morning' : hour < EVENING ? 'afternoon' : 'evening'
  return first ? `Good ${time}, ${first}` : `Good ${time}`
}

/** The line below it, such as "Wednesday, 10 June". @param timeZone undefined: that of the machine */
export const dayFormat = (timeZone?: string): Intl.DateTimeFormat =>
  dateFormat({ weekday: 'long', day: 'numeric', month: 'long', timeZone })
