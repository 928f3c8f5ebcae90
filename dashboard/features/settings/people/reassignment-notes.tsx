// The progress of reassignments, and the errors of the latest one.
import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { counted, formatCount } from '../../../../contract/counted.ts'
import { membersQuery } from '../../../shared/api/members.ts'
import { MEMBERS, missingName } from '../../../shared/api/record-names.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { cancelReassignment, type Reassignment, reassignmentsQuery } from '../api/reassignments.ts'

function Running({ reassignment: { id, total, changed, failed } }: { reassignment: Reassignment }) {
  const org = useOrg()
  const client = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => cancelReassignment(org, id),
    onSettled: () => client.invalidateQueries({ queryKey: reassignmentsQuery(org).queryKey }),
  })
  const words = `${formatCount(changed)} of ${counted(total, 'record or task', 'records and tasks')} reassigned`
  return (
    <Alert color="gray" role="status" mb="md">
      <Group justify="space-between">
        <Text>{words}</Text>
        <Button variant="default" size="xs" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      </Group>
      <Progress mt="xs" value={((changed + failed) / Math.max(1, total)) * 100} aria-label={words} />
    </Alert>
  )
}

/** Shown only for failures: the result of a successful reassignment is visible in the records. */
function Failed({ reassignment: { failed, problem, to } }: { reassignment: Reassignment }) {
  const { data: members = [] } = useQuery(membersQuery(useOrg()))
  const name = members.find(({ user }) => user.id === to)?.user.name ?? missingName(MEMBERS)
  const goal = to === null ? 'left without a member' : `given to ${name}`
  return (
    <Alert color="red" role="status" mb="md">
      {counted(failed, 'value')} could not be {goal}: {problem}
    </Alert>
  )
}

/** For owners and admins. */
export function ReassignmentNotes() {
  const { data = [] } = useQuery(reassignmentsQuery(useOrg()))
  const running = data.filter(({ state }) => state === 'running')
  const [latest] = data
  return (
    <>
      {running.map((one) => (
        <Running key={one.id} reassignment={one} />
      ))}
      {latest && latest.state !== 'running' && latest.failed > 0 && <Failed reassignment={latest} />}
    </>
  )
}
