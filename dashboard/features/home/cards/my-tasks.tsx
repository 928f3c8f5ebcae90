// The open tasks of the signed-in user, which can be completed in place.
import { Anchor, Box, Checkbox } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { formatCount } from '../../../../contract/counted.ts'
import { activityLink } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { useTicking } from '../../../ui/use-ticking.ts'
import { MY_TASKS } from '../../activities/activity-search.ts'
import type { Activity } from '../../activities/api.ts'
import { hasDueDate, isOverdue } from '../../activities/arrange.ts'
import { activityPaths } from '../../activities/paths.ts'
import { useActivityChanges } from '../../activities/use-activity-changes.ts'
import { DayOf } from '../../activities/when.tsx'
import type { Home } from '../api.ts'
import { type HeldTasks, heldAfter, heldOnceSaved } from './held-tasks.ts'
import classes from './home.module.css'
import { HomeCard, Nothing } from './home-card.tsx'

function Due({ task }: { task: Activity }) {
  const isLate = useTicking((now) => isOverdue(task, now))
  if (task.completedAt !== null) return <span className={classes.rowTime}>Done</span>
  if (!hasDueDate(task)) return <span className={classes.rowTime}>No due date</span>
  return (
    <span className={isLate ? `${classes.rowTime} danger` : classes.rowTime}>
      Due <DayOf timestamp={task.activityDate} />
    </span>
  )
}

function Task({ task, onCheck }: { task: Activity; onCheck(isDone: boolean): void }) {
  const org = useOrg()
  return (
    <li className={classes.row} data-done={task.completedAt !== null || undefined}>
      <Checkbox
        size="xs"
        className="above"
        aria-label={`Done: ${task.title}`}
        checked={task.completedAt !== null}
        onChange={({ currentTarget }) => onCheck(currentTarget.checked)}
      />
      <Link {...activityLink(org, task.id)} className={classes.rowName}>
        {task.title}
      </Link>
      <Due task={task} />
    </li>
  )
}

/** Completed tasks keep their places until the page is opened again, so that nothing moves under the pointer. */
function useHeldTasks(open: readonly Activity[]) {
  const [done, setDone] = useState<HeldTasks>(new Map())
  const { complete } = useActivityChanges()
  // If a click or an answer changed the state after this render, the effect of the next render updates it.
  useEffect(() => setDone((held) => (held === done ? heldAfter(held, open) : held)), [done, open])
  const shown = open.filter(({ id }) => !done.has(id))
  for (const { task, place } of [...done.values()].sort((a, b) => a.place - b.place))
    shown.splice(place, 0, task)
  const check = (task: Activity, isDone: boolean) => {
    const completedAt = isDone ? new Date().toISOString() : null
    const place = shown.indexOf(task)
    const one = { task: { ...task, completedAt }, place }
    setDone((held) => new Map(held).set(task.id, one))
    void complete({ ...task, completedAt: isDone ? null : task.completedAt }, isDone).then((saved) =>
      setDone((held) => heldOnceSaved(held, one, saved)),
    )
  }
  return { shown, check }
}

export function MyTasks({ ownTasks: { tasks, total } }: Pick<Home, 'ownTasks'>) {
  const org = useOrg()
  const { shown, check } = useHeldTasks(tasks)
  const more = total - tasks.length
  const all = { to: activityPaths.activities(org), search: MY_TASKS as never }
  return (
    <HomeCard
      title="My tasks"
      link={
        <Anchor component={Link} {...all}>
          All my tasks
        </Anchor>
      }
    >
      {shown.length === 0 && <Nothing>You have no open tasks.</Nothing>}
      <Box component="ul" pb={8}>
        {shown.map((task) => (
          <Task key={task.id} task={task} onCheck={(isDone) => check(task, isDone)} />
        ))}
        {more > 0 && (
          <li className={classes.row}>
            <Anchor component={Link} {...all}>
              {formatCount(more)} more
            </Anchor>
          </li>
        )}
      </Box>
    </HomeCard>
  )
}
