// The number of activities on each of the last seven days.
import { Anchor, Box, Group } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../../../contract/counted.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { dateFormat } from '../../../ui/dates.ts'
import { lazy } from '../../../ui/lazy.ts'
import { activityPaths } from '../../activities/paths.ts'
import type { Home } from '../api.ts'
import classes from './home.module.css'
import { HomeCard } from './home-card.tsx'

// The days are in the organization's time zone. UTC keeps the browser's time zone from shifting them.
const short = lazy(() => dateFormat({ weekday: 'short', timeZone: 'UTC' }))
const long = lazy(() => dateFormat({ dateStyle: 'full', timeZone: 'UTC' }))

interface DayProps {
  day: Home['activitiesByDay'][number]
  most: number
  isToday: boolean
}

function Day({ day: { date, count }, most, isToday }: DayProps) {
  const midnight = new Date(`${date}T00:00:00Z`)
  return (
    <li className={`row stack shrink ${isToday ? 'strong' : 'muted'}`} title={long().format(midnight)}>
      <Group align="flex-end" w="100%" maw={36} h={64} mb={4}>
        <Box
          className={classes.bar}
          w="100%"
          h={`${(count / most) * 100}%`}
          bg={count === 0 ? 'var(--border)' : undefined}
        />
      </Group>
      <span>
        {short().format(midnight)}
        <span className="visually-hidden">: </span>
      </span>
      <span className="tabular">{formatCount(count)}</span>
    </li>
  )
}

export function Week({ days }: { days: Home['activitiesByDay'] }) {
  const org = useOrg()
  const most = Math.max(1, ...days.map(({ count }) => count))
  return (
    <HomeCard
      title="Activities this week"
      link={
        <Anchor component={Link} to={activityPaths.activities(org)}>
          All activities
        </Anchor>
      }
    >
      <Box
        component="ol"
        className="grid gap-8 tiny"
        px={16}
        pb={12}
        style={{ gridTemplateColumns: 'repeat(7, 1fr)' }}
      >
        {days.map((day, index) => (
          <Day key={day.date} day={day} most={most} isToday={index === days.length - 1} />
        ))}
      </Box>
    </HomeCard>
  )
}
