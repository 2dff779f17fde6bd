import { EmergencyAccessScreen } from '../../components/admin/EmergencyAccessScreen';
import { NoAdminAccess } from '../../components/admin/NoAdminAccess';
import { screenPage } from '../../components/ui/screenPage';
import { signedInPage } from '../../store/getPageProps';

export const getServerSideProps = signedInPage(() => Promise.resolve({ props: {} }));

export default screenPage('Emergency access', 'manageUsers', EmergencyAccessScreen, NoAdminAccess);
