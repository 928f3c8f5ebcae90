// The home page: my tasks, the stages of my deals, recent changes.
import { Box } from '@mantine/core'
import { useQueries, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { dayFormat, greeting } from '../../../contract/greeting.ts'
import { membersQuery } from '../../shared/api/members.ts'
import { objectsQuery } from '../../shared/api/objects.ts'
import { useOrganization } from '../../shared/use-organization.ts'
import { lazy } from '../../ui/lazy.ts'
import { Page } from '../../ui/page.tsx'
import { PagePending } from '../../ui/page-pending.tsx'
import { useTicking } from '../../ui/use-ticking.ts'
import { homeQuery, pipelineQuery } from './api.ts'
import { Coming } from './cards/coming.tsx'
import classes from './cards/home.module.css'
import { MyTasks } from './cards/my-tasks.tsx'
import { isNew } from './cards/next-steps.ts'
import { Recent } from './cards/recent.tsx'
import { Stages } from './cards/stages.tsx'
import { Steps } from './cards/steps.tsx'
import { Week } from './cards/week.tsx'

const today = lazy(() => dayFormat())

function Greeting() {
  const { user } = useOrganization()
  const hello = useTicking((now) => greeting(new Date(now).getHours(), user.name))
  const day = useTicking((now) => today().format(now))
  return (
    // A single block: on a phone it is the largest text, so the first paint is also the largest contentful paint.
    <Box component="p" className="title breakable" mb={20}>
      {hello}
      <br />
      <span className={classes.day}>{day}</span>
    </Box>
  )
}

/** Whether the queries that decide the set and height of the cards have ended, so that nothing moves later. */
function useHasCards(): boolean {
  const { organization } = useOrganization()
  const client = useQueryClient()
  const { slug } = organization
  const answers = useQueries({
    queries: [pipelineQuery(slug, client), membersQuery(slug)],
    combine: (all) => all.map(({ isPending }) => isPending),
  })
  return answers.every((isPending) => !isPending)
}

export function HomePage() {
  const { organization } = useOrganization()
  const { data: home } = useSuspenseQuery(homeQuery(organization.slug))
  const { data: objects } = useSuspenseQuery(objectsQuery(organization.slug))
  const hasCards = useHasCards()
  const isFresh = isNew(home)
  if (!hasCards) return <PagePending />
  return (
    <Page title="Home" width="full">
      <Box w="100%" maw={1120} mx="auto" px={16} pt={24} pb={64}>
        <Greeting />
        <Steps home={home} canHide={!isFresh} />
        {!isFresh && (
          <div className={classes.grid}>
            <div className={classes.column}>
              <MyTasks ownTasks={home.ownTasks} />
              <Recent records={home.recentRecords} objects={objects} />
            </div>
            <div className={classes.column}>
              <Stages />
              <Coming upcoming={home.upcoming} />
              <Week days={home.activitiesByDay} />
            </div>
          </div>
        )}
      </Box>
    </Page>
  )
}
