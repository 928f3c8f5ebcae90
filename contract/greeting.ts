// The first lines of the home page. The document of the server and the page use the same text.
import { dateFormat } from './language.ts'

const NOON = 12
const EVENING = 18

/** @param hour local time of the reader, 0 to 23 @param name of the reader, with the first name first */
export function greeting(hour: number, name: string): string {
  const first = name.trim().split(/\s+/)[0]
  const time = hour < NOON ? 'morning' : hour < EVENING ? 'afternoon' : 'evening'
  return first ? `Good ${time}, ${first}` : `Good ${time}`
}

/** The line below the greeting, such as "Wednesday, 10 June". @param timeZone undefined: of the machine */
export const dayFormat = (timeZone?: string): Intl.DateTimeFormat =>
  dateFormat({ weekday: 'long', day: 'numeric', month: 'long', timeZone })
