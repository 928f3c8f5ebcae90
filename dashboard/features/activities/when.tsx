// Moments of activities.
import { useTicking } from '../../ui/use-ticking.ts'
import { dayInSentence, formatWhen } from './days.ts'

/** With the day where that is not today. */
export function When({ moment }: { moment: string }) {
  const text = useTicking((now) => formatWhen(moment, now))
  return <time dateTime={moment}>{text}</time>
}

/** The day, within a sentence: the time of day is shown on hover. */
export function DayOf({ moment }: { moment: string }) {
  const day = useTicking((now) => dayInSentence(moment, now))
  const exact = useTicking((now) => formatWhen(moment, now))
  return (
    <time dateTime={moment} title={exact}>
      {day}
    </time>
  )
}
