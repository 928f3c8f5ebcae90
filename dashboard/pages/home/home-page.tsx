// The first page: what changed, where things stand, what comes next.
import { useSuspenseQuery } from '@tanstack/react-query'
import { homeQuery } from '../../api/home.ts'
import { objectsQuery } from '../../api/objects.ts'
import { useOrganization } from '../../components/use-organization.ts'
import { Page } from '../../ui/page.tsx'
import { Coming } from './coming.tsx'
import { greeting } from './greeting.ts'
import classes from './home.module.css'
import { isNew } from './next-steps.ts'
import { Recent } from './recent.tsx'
import { Stages } from './stages.tsx'
import { Steps } from './steps.tsx'
import { Week } from './week.tsx'

const today = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

function Greeting() {
  const { user } = useOrganization()
  const now = new Date()
  return (
    <div className={classes.greeting}>
      <p className={classes.hello}>{greeting(now.getHours(), user.name)}</p>
      <p className={classes.today}>{today.format(now)}</p>
    </div>
  )
}

export function HomePage() {
  const { organization } = useOrganization()
  const { data: home } = useSuspenseQuery(homeQuery(organization.slug))
  const { data: objects } = useSuspenseQuery(objectsQuery(organization.slug))
  const isFresh = isNew(home)
  return (
    <Page title="Home" width="full">
      <div className={classes.home}>
        <Greeting />
        <Steps home={home} canHide={!isFresh} />
        {!isFresh && (
          <div className={classes.grid}>
            <div className={classes.main}>
              <Recent records={home.recentRecords} objects={objects} />
            </div>
            <div className={classes.side}>
              <Stages />
              <Week days={home.activitiesByDay} />
              <Coming upcoming={home.upcoming} />
            </div>
          </div>
        )}
      </div>
    </Page>
  )
}
