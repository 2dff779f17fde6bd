import { ReportsScreen } from '../components/reports/ReportsScreen';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { screenPage } from '../components/ui/screenPage';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default screenPage('Issue reports', 'readReports', ReportsScreen, NoPatientAccess);
