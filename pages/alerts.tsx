import { HistoryScreen } from '../components/history/HistoryScreen';
import { NoPatientAccess } from '../components/patients/NoPatientAccess';
import { screenPage } from '../components/ui/screenPage';
import { signedInPage } from '../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default screenPage('Alert history', 'readAlerts', HistoryScreen, NoPatientAccess);
