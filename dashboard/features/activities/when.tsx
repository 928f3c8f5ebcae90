// Times of activities.
import { useTicking } from '../../ui/use-ticking.ts'
import { dayInSentence, formatWhen } from './days.ts'

/** The time, with the day if it is not today. */
export function When({ timestamp }: { timestamp: string }) {
  const text = useTicking((now) => formatWhen(timestamp, now))
  return <time dateTime={timestamp}>{text}</time>
}

/** The day, for use within a sentence. The exact time is shown on hover. */
export function DayOf({ timestamp }: { timestamp: string }) {
  const day = useTicking((now) => dayInSentence(timestamp, now))
  const exact = useTicking((now) => formatWhen(timestamp, now))
  return (
    <time dateTime={timestamp} title={exact}>
      {day}
    </time>
  )
}
