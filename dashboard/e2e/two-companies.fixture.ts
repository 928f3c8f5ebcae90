// The dashboard of an organization with two companies, and a member of it.
import { addRecord } from './crm.fixture.ts'
import { openSharedDashboard } from './open-dashboard.ts'

/** Call it at the top of a test file. */
export async function openWithCompanies() {
  const dashboard = await openSharedDashboard()
  const org = await dashboard.service.org({ name: 'Initech' })
  await addRecord(org, 'companies', { name: 'Fenchurch', domain: 'fenchurch.example' })
  await addRecord(org, 'companies', { name: 'Globex', domain: 'globex.example' })
  return { dashboard, member: await org.member('member'), path: `/o/org-${org.id}/objects/companies` }
}
