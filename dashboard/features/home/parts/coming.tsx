// Tasks whose time is over, then what comes next.
import { Anchor, Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useOrg } from '../../../shared/use-organization.ts'
import { formatNumber } from '../../../shared/values/format.ts'
import { ACTIVITY_KINDS } from '../../activities/activity-icons.ts'
import type { Activity } from '../../activities/api.ts'
import { activityPaths } from '../../activities/paths.ts'
import { When } from '../../activities/when.tsx'
import { overdueQuery } from '../api.ts'
import classes from './home.module.css'
import { HomeCard, Nothing } from './home-card.tsx'

function Entry({ activity, isLate = false }: { activity: Activity; isLate?: boolean }) {
  const org = useOrg()
  const { icon: Icon, name } = ACTIVITY_KINDS[activity.type]
  return (
    <li className={classes.row}>
      <Icon className="muted" size={16} aria-label={name} role="img" />
      <Link
        to={activityPaths.activities(org)}
        search={{ activity: activity.id } as never}
        className={classes.rowName}
      >
        {activity.title}
      </Link>
      <span className={isLate ? `${classes.rowTime} danger` : classes.rowTime}>
        {isLate && 'Due '}
        <When moment={activity.activityDate} />
      </span>
    </li>
  )
}

function More({ more }: { more: number }) {
  const org = useOrg()
  if (more <= 0) return null
  return (
    <li className={classes.row}>
      <Anchor component={Link} to={activityPaths.activities(org)} search={{ tasks: 'open' } as never}>
        {formatNumber(more)} more overdue
      </Anchor>
    </li>
  )
}

export function Coming({ upcoming }: { upcoming: readonly Activity[] }) {
  const org = useOrg()
  const { data: overdue } = useQuery(overdueQuery(org))
  const late = overdue?.activities ?? []
  const isEmpty = late.length === 0 && upcoming.length === 0
  return (
    <HomeCard
      title="Upcoming and overdue"
      link={
        <Anchor component={Link} to={activityPaths.activities(org)} search={{ create: 1 } as never}>
          Add activity
        </Anchor>
      }
    >
      {isEmpty && <Nothing>Nothing is due. Upcoming tasks and meetings appear here.</Nothing>}
      <Box component="ul" pb={8}>
        {late.map((activity) => (
          <Entry key={activity.id} activity={activity} isLate />
        ))}
        <More more={(overdue?.pagination.total ?? 0) - late.length} />
        {upcoming.map((activity) => (
          <Entry key={activity.id} activity={activity} />
        ))}
      </Box>
    </HomeCard>
  )
}
