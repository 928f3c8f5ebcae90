// The next steps, as cards that link to the pages for them.
import { ActionIcon, Anchor, Box, Group, Text, Tooltip } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, FileUp, type LucideIcon, Plus, UserPlus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { membersQuery } from '../../../shared/api/members.ts'
import { objectsQuery } from '../../../shared/api/objects.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { useOrg, useOrganization } from '../../../shared/use-organization.ts'
import { importPaths } from '../../import/paths.ts'
import { settingsPaths } from '../../settings/paths.ts'
import type { Home } from '../api.ts'
import classes from './home.module.css'
import { type NextStep, nextSteps } from './next-steps.ts'

interface StepCardProps {
  icon: LucideIcon
  title: string
  to: string
  search?: object
  children: ReactNode
}

function StepCard({ icon: Icon, title, to, search, children }: StepCardProps) {
  return (
    <li className="card relative hoverable">
      <Icon className="accent" size={20} strokeWidth={1.5} aria-hidden />
      <Link to={to} search={search as never} className="row gap-6 strong covers">
        {title} <ArrowRight size={14} aria-hidden />
      </Link>
      <Text c="dimmed" mt={4}>
        {children}
      </Text>
    </li>
  )
}

function Step({ step }: { step: NextStep }) {
  const org = useOrg()
  if (step.kind === 'invite')
    return (
      <StepCard icon={UserPlus} title="Invite a colleague" to={settingsPaths.members(org)}>
        Work on the same records, or{' '}
        <Anchor component={Link} to={settingsPaths.apiKeys(org)} underline="always" className="relative">
          create an API key
        </Anchor>{' '}
        for your own programs.
      </StepCard>
    )
  const { slug, pluralName, singularName } = step.object
  if (step.kind === 'import')
    return (
      <StepCard icon={FileUp} title={`Import ${pluralName.toLowerCase()}`} to={importPaths.import(org, slug)}>
        Upload a CSV file; columns are matched for you, and you review everything before it is saved.
      </StepCard>
    )
  return (
    <StepCard
      icon={Plus}
      title={`Create a ${singularName.toLowerCase()}`}
      to={recordPaths.object(org, slug)}
      search={{ create: 1 }}
    >
      See how records, boards and activities work together.
    </StepCard>
  )
}

function useSteps({ counts }: Home): NextStep[] {
  const { organization, may } = useOrganization()
  const { data: objects } = useSuspenseQuery(objectsQuery(organization.slug))
  const { data: members } = useQuery(membersQuery(organization.slug))
  return nextSteps({ objects, counts, members: members?.length, mayInvite: may('admin') })
}

/** @param canHide whether the page has other content */
export function Steps({ home, canHide }: { home: Home; canHide: boolean }) {
  const steps = useSteps(home)
  const [isHidden, setHidden] = useLocalStorage({
    key: `rapport-steps-hidden:${useOrg()}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  if (steps.length === 0 || (canHide && isHidden)) return null
  return (
    <Box component="section" mb={16} aria-label="Next steps">
      <Group component="header" justify="space-between" mih={44}>
        <h2>Next steps</h2>
        {canHide && (
          <Tooltip label="Hide next steps">
            <ActionIcon size="sm" aria-label="Hide next steps" onClick={() => setHidden(true)}>
              <X size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <ul className={classes.steps}>
        {steps.map((step) => (
          <Step key={step.kind} step={step} />
        ))}
      </ul>
    </Box>
  )
}
