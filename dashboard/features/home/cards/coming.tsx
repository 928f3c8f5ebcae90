// The upcoming activities of all members.
import { Anchor, Box } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { activityLink } from '../../../shared/paths.ts'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { ACTIVITY_KINDS } from '../../activities/activity-icons.ts'
import type { Activity } from '../../activities/api.ts'
import { activityPaths } from '../../activities/paths.ts'
import { When } from '../../activities/when.tsx'
import classes from './home.module.css'
import { HomeCard, Nothing } from './home-card.tsx'

/** The author; nothing for activities of the signed-in user. */
function Who({ createdBy: { id, name, email } }: Activity) {
  const { user } = useOrganization()
  return id === user.id ? null : <span className="truncate shrink muted">{name || email}</span>
}

function Entry({ activity }: { activity: Activity }) {
  const org = useOrg()
  const { icon: Icon, name } = ACTIVITY_KINDS[activity.type]
  return (
    <li className={classes.row}>
      <Icon className="muted" size={16} aria-label={name} role="img" />
      <Link {...activityLink(org, activity.id)} className={classes.rowName}>
        {activity.title}
      </Link>
      <Who {...activity} />
      <span className={classes.rowTime}>
        <When timestamp={activity.activityDate} />
      </span>
    </li>
  )
}

export function Coming({ upcoming }: { upcoming: readonly Activity[] }) {
  const org = useOrg()
  return (
    <HomeCard
      title="Upcoming"
      link={
        <Anchor component={Link} to={activityPaths.activities(org)} search={{ create: 1 } as never}>
          Add activity
        </Anchor>
      }
    >
      {upcoming.length === 0 && <Nothing>Upcoming meetings and calls appear here.</Nothing>}
      <Box component="ul" pb={8}>
        {upcoming.map((activity) => (
          <Entry key={activity.id} activity={activity} />
        ))}
      </Box>
    </HomeCard>
  )
}
