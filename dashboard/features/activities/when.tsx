// A moment of an activity, with the day where that is not today.
import { useTicking } from '../../ui/use-ticking.ts'
import { formatWhen } from './days.ts'

export function When({ moment }: { moment: string }) {
  const text = useTicking((now) => formatWhen(moment, now))
  return <time dateTime={moment}>{text}</time>
}
